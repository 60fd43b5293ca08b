// Node has it; the types of Node leave it to those of browsers, which this package does not use.
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  type Module = object
  function compile(bytes: Uint8Array): Promise<Module>
}
