use super::run::run_operations;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn words_of_32_bits_match_the_model(bytes in vec(any::<u8>(), 0..800)) {
        run_operations::<u32>(&bytes);
    }

    #[test]
    fn words_of_64_bits_match_the_model(bytes in vec(any::<u8>(), 0..800)) {
        run_operations::<u64>(&bytes);
    }
}
