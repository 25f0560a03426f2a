//! A parser for the part of TSDL that the exports use.

use std::collections::{BTreeMap, HashMap};
use std::iter::Peekable;
use std::str::Chars;

/// A value type.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    Integer {
        bits: u32,
        signed: bool,
    },
    Enumeration {
        bits: u32,
        labels: HashMap<u64, String>,
    },
    Text,
}

/// A field of a structure, without the leading underscore, which readers remove.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) length: Option<String>,
}

/// An event class.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) context: Vec<Field>,
    pub(crate) fields: Vec<Field>,
}

/// The parsed metadata.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) types: HashMap<String, Type>,
    pub(crate) trace: HashMap<String, String>,
    pub(crate) environment: HashMap<String, String>,
    pub(crate) clock: HashMap<String, String>,
    pub(crate) packet_header: Vec<Field>,
    pub(crate) packet_context: Vec<Field>,
    pub(crate) event_header: Vec<Field>,
    pub(crate) event_context: Vec<Field>,
    pub(crate) events: BTreeMap<u64, Class>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
    Defines,
}

struct Tokens<'t>(Peekable<Chars<'t>>);

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.0.next_if(|letter| letter.is_whitespace()).is_some() {}
        let first = self.0.next()?;
        Some(match first {
            '"' => Token::Text(self.text()),
            ':' if self.0.next_if_eq(&'=').is_some() => Token::Defines,
            _ if is_word(first) => {
                let mut word = first.to_string();
                while let Some(letter) = self.0.next_if(|letter| is_word(*letter)) {
                    word.push(letter);
                }
                Token::Word(word)
            }
            _ => Token::Sign(first),
        })
    }
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '.'
}

impl Tokens<'_> {
    fn text(&mut self) -> String {
        let mut text = String::new();
        loop {
            match self.0.next().unwrap() {
                '"' => return text,
                '\\' => match self.0.next().unwrap() {
                    letter @ ('\\' | '"') => text.push(letter),
                    other => panic!("\\{other} in a text"),
                },
                letter => {
                    assert!(!letter.is_control(), "{letter:?} in a text");
                    text.push(letter);
                }
            }
        }
    }

    fn expect(&mut self, sign: char) {
        assert_eq!(self.next(), Some(Token::Sign(sign)));
    }

    fn word(&mut self) -> String {
        match self.next() {
            Some(Token::Word(word)) => word,
            other => panic!("{other:?} instead of a word"),
        }
    }

    fn value(&mut self) -> String {
        match self.next() {
            Some(Token::Word(text) | Token::Text(text)) => text,
            other => panic!("{other:?} instead of a value"),
        }
    }

    /// `{ name = value; … }` with structures among the members.
    fn block(&mut self) -> (HashMap<String, String>, HashMap<String, Vec<Field>>) {
        let mut values = HashMap::new();
        let mut structures = HashMap::new();
        self.expect('{');
        loop {
            let name = match self.next() {
                Some(Token::Sign('}')) => return (values, structures),
                Some(Token::Word(name)) => name,
                other => panic!("{other:?} in a block"),
            };
            match self.next() {
                Some(Token::Sign('=')) => {
                    values.insert(name, self.value());
                }
                Some(Token::Defines) => {
                    assert_eq!(self.word(), "struct");
                    structures.insert(name, self.structure());
                }
                other => panic!("{other:?} after {name}"),
            }
            self.expect(';');
        }
    }

    fn structure(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        self.expect('{');
        let stripped = |name: String| name.strip_prefix('_').unwrap_or(&name).to_owned();
        loop {
            let kind = match self.next() {
                Some(Token::Sign('}')) => return fields,
                Some(Token::Word(kind)) => kind,
                other => panic!("{other:?} in a structure"),
            };
            let name = stripped(self.word());
            let length = match self.next() {
                Some(Token::Sign(';')) => None,
                Some(Token::Sign('[')) => {
                    let length = stripped(self.word());
                    self.expect(']');
                    self.expect(';');
                    Some(length)
                }
                other => panic!("{other:?} after {name}"),
            };
            fields.push(Field { name, kind, length });
        }
    }

    fn enumeration(&mut self, types: &HashMap<String, Type>) -> Type {
        self.expect(':');
        let Type::Integer { bits, .. } = types[&self.word()] else {
            panic!("an enumeration of something else");
        };
        self.expect('{');
        let mut labels = HashMap::new();
        loop {
            let label = match self.next() {
                Some(Token::Sign('}')) => return Type::Enumeration { bits, labels },
                Some(Token::Text(label)) => label,
                other => panic!("{other:?} in an enumeration"),
            };
            self.expect('=');
            assert_eq!(labels.insert(integer(&self.word()), label), None);
            self.expect(',');
        }
    }
}

fn integer(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

impl Metadata {
    pub(crate) fn parse(text: &str) -> Self {
        let text = text.strip_prefix("/* CTF 1.8 */\n\n/* Written by rtoscope. */\n");
        let text = text.unwrap();
        let mut tokens = Tokens(text.chars().peekable());
        let mut metadata = Self::default();
        while let Some(token) = tokens.next() {
            let Token::Word(word) = token else {
                panic!("{token:?} at the top");
            };
            metadata.entry(&word, &mut tokens);
            tokens.expect(';');
        }
        assert_eq!(metadata.trace["byte_order"], "le");
        metadata
    }

    fn entry(&mut self, word: &str, tokens: &mut Tokens<'_>) {
        if word == "typealias" {
            let kind = match tokens.word().as_str() {
                "integer" => {
                    let (values, _) = tokens.block();
                    Type::Integer {
                        bits: values["size"].parse().unwrap(),
                        signed: values["signed"] == "true",
                    }
                }
                "enum" => tokens.enumeration(&self.types),
                "string" => {
                    tokens.block();
                    Type::Text
                }
                other => panic!("a type {other}"),
            };
            assert_eq!(tokens.next(), Some(Token::Defines));
            let name = tokens.word();
            assert!(self.types.insert(name, kind).is_none());
            return;
        }
        let (values, mut structures) = tokens.block();
        let mut structure = |name| structures.remove(name).unwrap_or_default();
        match word {
            "trace" => {
                self.packet_header = structure("packet.header");
                self.trace = values;
            }
            "env" => self.environment = values,
            "clock" => self.clock = values,
            "stream" => {
                self.packet_context = structure("packet.context");
                self.event_header = structure("event.header");
                self.event_context = structure("event.context");
            }
            "event" => {
                let class = Class {
                    name: values["name"].clone(),
                    context: structure("context"),
                    fields: structure("fields"),
                };
                let id = values["id"].parse().unwrap();
                assert!(self.events.insert(id, class).is_none());
            }
            other => panic!("{other} at the top"),
        }
    }
}
