import { describe, expect, it } from "vitest";
import { companionsOf, isCompanion } from "./companions";

function elf(type: number, isBig = false): number[] {
  const head = [0x7f, 0x45, 0x4c, 0x46, 1, isBig ? 2 : 1, ...new Array<number>(10).fill(0)];
  return [...head, ...(isBig ? [0, type] : [type, 0])];
}

const file = (name: string, bytes: number[]) => new File([new Uint8Array(bytes)], name);

describe("files that are no recordings", () => {
  it("are programs, settings, notes and definitions", async () => {
    const names = ["rtoscope.toml", "a.trx.rtoscope.json", "app.TRXC", "rkhcfg.h", "trazer.cfg"];
    for (const name of names) expect(await isCompanion(file(name, []))).toBe(true);
    expect(await isCompanion(file("fw.elf", elf(2)))).toBe(true);
    expect(await isCompanion(file("fw", elf(2, true)))).toBe(true);
  });

  it("are those that a project names", async () => {
    const text = '[recording]\ntext-log = "logs/uart.txt"\n';
    const project = file("rtoscope.toml", [...new TextEncoder().encode(text)]);
    const [log, recording] = [file("uart.txt", []), file("a.trx", [])];
    expect(await companionsOf([log, recording, project])).toEqual([log, project]);
    expect(await companionsOf([log, recording])).toEqual([]);
  });

  it("are not memory and recordings", async () => {
    expect(await isCompanion(file("memory.core", elf(4)))).toBe(false);
    expect(await isCompanion(file("memory.core", elf(4, true)))).toBe(false);
    expect(await isCompanion(file("a.trx", [0x54, 0x58]))).toBe(false);
    expect(await isCompanion(file("a.json", []))).toBe(false);
  });
});
