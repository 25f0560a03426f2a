declare module "virtual:session" {
  /** Address of the WebAssembly module of crates/web, packed with gzip. */
  const address: string;
  export default address;
}
