// Runs queries on a trace with Perfetto's own engine, its trace_processor compiled to
// WebAssembly, in plain Node.js and offline.
//
//   node perfetto.cjs ENGINE_FOLDER
//
// Reads requests, one per line: an object with the path of a `trace` and a list of
// `queries`, SQL texts. Loads each trace alone and writes a line: a list of lists of
// rows, each row an object. Exits with 1 and an error message if a trace does not load
// or a query fails.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");
const vm = require("vm");

const [, , folder] = process.argv;
const CHUNK = 16 << 20;

// Requests and fields of the engine's TraceProcessorRpc message.
const APPEND = 1;
const FINALIZE = 2;
const QUERY = 3;
const STATUS = 10;
const RESET = 11;
const APPEND_ARGUMENTS = 101;
const QUERY_ARGUMENTS = 103;
const APPEND_RESULT = 201;
const QUERY_RESULT = 203;
const FINALIZE_RESULT = 212;

function fail(why) {
  process.stderr.write(`${why && why.stack ? why.stack : why}\n`.slice(0, 4000));
  process.exit(1);
}
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

// --- Protobuf, as far as the engine uses it.

function varint(value) {
  let rest = BigInt(value);
  const bytes = [];
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
}

function integer(field, value) {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function message(field, content) {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

// The varint at a position, and the position after it.
function readVarint(bytes, at) {
  // Most are short, and numbers are much faster than big integers.
  if (bytes[at] < 128) return [BigInt(bytes[at]), at + 1];
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [value, at];
  }
}

function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    let key, value;
    [key, at] = readVarint(bytes, at);
    const field = Number(key) >>> 3;
    switch (Number(key) & 7) {
      case 0:
        [value, at] = readVarint(bytes, at);
        yield [field, value];
        break;
      case 1:
        yield [field, bytes.readDoubleLE(at)];
        at += 8;
        break;
      case 2: {
        [value, at] = readVarint(bytes, at);
        const end = at + Number(value);
        yield [field, bytes.subarray(at, end)];
        at = end;
        break;
      }
      case 5:
        yield [field, bytes.readUInt32LE(at)];
        at += 4;
        break;
      default:
        throw new Error(`the engine answers with a field of wire type ${Number(key) & 7}`);
    }
  }
}

// --- The engine, in an environment that looks like a web worker.

const quiet = { log() {}, warn() {}, error: console.error };
if (process.env.TP_VERBOSE) quiet.log = quiet.warn = console.error;

function start() {
  const file = (name) => path.join(folder, path.basename(String(name)));
  const worker = { location: { href: `file://${folder}/engine_bundle.js` }, onmessage: null };
  class Request {
    open(_method, address, later = true) {
      this.address = address;
      this.later = later;
    }
    send() {
      try {
        const bytes = fs.readFileSync(file(this.address));
        this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
        this.status = 200;
      } catch {
        this.status = 404;
      }
      if (!this.later) return;
      setImmediate(() => (this.status === 200 ? this.onload() : this.onerror(new Error("404"))));
    }
  }
  const fetchFile = async (address) =>
    new Response(fs.readFileSync(file(address)), {
      status: 200,
      headers: { "Content-Type": "application/wasm" },
    });
  const bundle = fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8");
  // In this realm, because the engine compares with its own `TypeError`; without
  // `process`, because the engine is built for workers only.
  vm.runInThisContext(
    `(function(process,self,location,XMLHttpRequest,fetch,WorkerGlobalScope,console){${bundle}\n})`,
    { filename: "engine_bundle.js" },
  )(undefined, worker, worker.location, Request, fetchFile, function () {}, quiet);
  const replies = [];
  const port = { postMessage: (bytes) => replies.push(Buffer.from(bytes)) };
  worker.onmessage({ data: port });
  return { port, replies };
}

let sequence = 0;

function ask(engine, request, ...content) {
  const call = message(1, Buffer.concat([integer(1, sequence++), integer(2, request), ...content]));
  engine.port.onmessage({ data: Uint8Array.from(call) });
  const answers = [];
  for (const [field, answer] of fields(Buffer.concat(engine.replies.splice(0)))) {
    if (field === 1) answers.push(...fields(answer));
  }
  return answers;
}

async function ready(engine) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  for (let attempt = 0; ; attempt++) {
    await pause();
    try {
      return ask(engine, STATUS);
    } catch (error) {
      if (attempt > 500) throw error;
      sequence = 0;
    }
  }
}

// Replaces the trace that is loaded, if there is one.
function load(engine, trace) {
  const refuse = (answers) => {
    for (const [field, answer] of answers) {
      if (field !== APPEND_RESULT && field !== FINALIZE_RESULT) continue;
      for (const [, value] of fields(answer)) {
        if (Buffer.isBuffer(value)) throw new Error(`the trace does not load: ${value}`);
      }
    }
  };
  ask(engine, RESET);
  const bytes = fs.readFileSync(trace);
  for (let at = 0; at < bytes.length; at += CHUNK) {
    refuse(ask(engine, APPEND, message(APPEND_ARGUMENTS, bytes.subarray(at, at + CHUNK))));
  }
  refuse(ask(engine, FINALIZE));
}

// --- Queries.

// The cells of a batch, each already JSON.
function* cells(batch) {
  const kinds = [];
  const integers = [];
  const doubles = [];
  const blobs = [];
  let texts = [];
  for (const [field, value] of fields(batch)) {
    if (field === 1) kinds.push(...value);
    else if (field === 2) {
      for (let at = 0; at < value.length; ) {
        let number;
        [number, at] = readVarint(value, at);
        integers.push(BigInt.asIntN(64, number).toString());
      }
    } else if (field === 3) {
      for (let at = 0; at < value.length; at += 8) {
        const number = value.readDoubleLE(at);
        doubles.push(Number.isInteger(number) ? number.toFixed(1) : JSON.stringify(number));
      }
    } else if (field === 4) blobs.push(JSON.stringify(value.toString("hex")));
    else if (field === 5) texts = value.toString().split("\0").map((text) => JSON.stringify(text));
  }
  const next = [0, 0, 0, 0, 0, 0];
  const lists = [null, null, integers, doubles, texts, blobs];
  for (const kind of kinds) yield kind === 1 ? "null" : lists[kind][next[kind]++];
}

// The rows of a query, as JSON.
function rows(engine, sql) {
  const columns = [];
  const found = [];
  let row = [];
  for (const [field, answer] of ask(engine, QUERY, message(QUERY_ARGUMENTS, message(1, sql)))) {
    if (field !== QUERY_RESULT) continue;
    for (const [part, value] of fields(answer)) {
      if (part === 1) columns.push(JSON.stringify(value.toString()));
      else if (part === 2) throw new Error(`${value}\nin the query: ${sql}`);
      else if (part === 3) {
        for (const cell of cells(value)) {
          row.push(`${columns[row.length]}:${cell}`);
          if (row.length < columns.length) continue;
          found.push(`{${row.join(",")}}`);
          row = [];
        }
      }
    }
  }
  return `[${found.join(",")}]`;
}

(async () => {
  const engine = start();
  await ready(engine);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { trace, queries } = JSON.parse(line);
    load(engine, trace);
    const answers = queries.map((sql) => rows(engine, sql));
    process.stdout.write(`[${answers.join(",")}]\n`);
  }
  process.exit(0);
})();
