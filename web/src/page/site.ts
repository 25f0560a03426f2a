/** The page of a web host. */

import sessionCode from "virtual:session";
import active from "../../../testdata/rkh/nat_short.bin?url";
import system from "../../../testdata/threadx/cm3_system.trx?url";
import smp from "../../../testdata/threadx/smp32_cores.trx?url";
import { setBackend } from "../session/backend";
import { decodeLocation } from "../shell/view-location";
import { narrowPolicy } from "./narrow-policy";
import { WorkerBackend } from "./worker-backend";

const SAMPLES = [
  {
    name: "cm3_system.trx",
    about: "ThreadX: interrupts, queues, mutexes, priority inversions",
    address: system,
  },
  { name: "smp32_cores.trx", about: "ThreadX SMP: several cores", address: smp },
  { name: "nat_short.bin", about: "RKH: active objects that post events", address: active },
];

async function load(address: string): Promise<Blob> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the host answered with status ${response.status}`);
  return response.blob();
}

const asked = decodeLocation(location.hash).open;
const address = asked === undefined ? undefined : new URL(asked, location.href).href;
narrowPolicy(address);
const backend = new WorkerBackend(() => load(sessionCode), SAMPLES);
setBackend(backend);
if (address !== undefined) {
  const name = decodeURIComponent(new URL(address).pathname.split("/").at(-1) ?? "") || "recording";
  backend.give({
    name,
    options: [],
    address,
    files: async () => [
      [
        name,
        await load(address).catch((error: Error) => {
          throw new Error(
            `cannot load ${address} (${error.message}): its host has to allow requests of other pages`,
          );
        }),
      ],
    ],
  });
}
window.addEventListener("hashchange", () => {
  // The policy is that of the first address.
  if (decodeLocation(location.hash).open !== asked) location.reload();
});
// Not needed to work, but to work without a connection.
if ("serviceWorker" in navigator && location.protocol !== "file:")
  void navigator.serviceWorker.register("./sw.js").catch(() => undefined);

await import("../main");
const { openFiles } = await import("../state/viewer");

interface LaunchQueue {
  setConsumer(take: (launch: { files: { getFile(): Promise<File> }[] }) => void): void;
}
const { launchQueue } = window as { launchQueue?: LaunchQueue };
launchQueue?.setConsumer(async ({ files }) => {
  await openFiles(await Promise.all(files.map((file) => file.getFile())));
});
