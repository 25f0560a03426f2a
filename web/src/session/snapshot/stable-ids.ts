/**
 * Assigns stable identifiers to contexts, lanes, kinds, objects, levels and states of snapshots.
 */

import type {
  BarClassName,
  Context,
  EventKind,
  Lane,
  LevelResource,
  MachineState,
  NamedObject as Named,
  Overview,
  StateMachine,
} from "../wire";
import { type IdMap, IdRegistry } from "./id-registry";

/** Identifier maps of a snapshot. */
export interface SnapshotIds {
  contexts: IdMap;
  objects: IdMap;
  lanes: IdMap;
  /** By position among the levels. */
  levels: IdMap;
  /** The snapshot's resource of each level. */
  resources: readonly number[];
  /** By position among the kinds. */
  kinds: IdMap;
  /** State machines by the stable identifiers of their contexts. */
  machines: ReadonlyMap<number, MachineIds>;
  /** Stable identifier of the context whose state machine a lane of the snapshot shows. */
  machineOf(lane: number): number | undefined;
  /** Class of bars that refer to threads. */
  threadClass: number;
}

/** Identifiers of a machine's states, and stable bar classes by the classes of the snapshot. */
export interface MachineIds {
  states: IdMap;
  classes: Uint8Array;
}

/** A snapshot's overview with stable identifiers. */
export interface AdoptedSnapshot {
  overview: Overview;
  ids: SnapshotIds;
}

/** Contexts that exist once, whatever their address. */
const SINGLETONS = new Set(["interrupt", "initialize", "idle"]);
const STATE = /^state-(\d+)$/;

/** Identifiers that are no longer in use may outnumber those in use by this factor, plus `ROOM`. */
const MAX_UNUSED_FACTOR = 4;
const ROOM = 1024;

function laneKey(lane: Lane): string {
  switch (lane.kind) {
    case "summary":
      return lane.kind;
    case "thread":
    case "machine":
      return `${lane.kind} ${lane.context}`;
    case "marker":
    case "pipeline-stage":
    case "text-log":
      return `${lane.kind} ${lane.name}`;
    case "isr":
      return `${lane.kind} ${lane.core} ${lane.number} ${lane.name}`;
    default:
      return `${lane.kind} ${lane.core}`;
  }
}

/** Stable identifiers of everything that the snapshots of a live trace name. */
export class StableIds {
  private readonly contexts = new IdRegistry<Context>(
    ({ kind, address }) => (SINGLETONS.has(kind) ? kind : address),
    (one) => ({ ...one, events: 0, cpu_time: 0 }),
  );
  private readonly objects = new IdRegistry<Named>(
    ({ class: what, address }) => `${what} ${address}`,
    (one) => one,
  );
  private readonly kinds = new IdRegistry<EventKind>(
    ({ id }) => String(id),
    (one) => ({ ...one, events: 0 }),
  );
  private readonly lanes = new IdRegistry<Lane>(laneKey, (one) => ({
    ...one,
    events: 0,
    busy_time: 0,
    share: null,
  }));
  private readonly levels = new IdRegistry<LevelResource>(
    ({ class: what, object, name }) => `${what} ${object ?? name}`,
    (one) => one,
  );
  private readonly machines = new Map<number, IdRegistry<MachineState>>();
  private classes: BarClassName[] = [];

  /** Number of identifiers. It grows whenever something new appears. */
  get size(): number {
    const { contexts, objects, kinds, lanes, levels, machines } = this;
    const lists = [contexts, objects, kinds, lanes, levels, ...machines.values()];
    return lists.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether enough identifiers are unused that starting over is better. */
  isCrowded({ contexts, objects, kinds, lanes, levels, machines }: Overview): boolean {
    const present =
      contexts.length +
      objects.length +
      kinds.length +
      lanes.length +
      levels.length +
      machines.reduce((sum, { states }) => sum + states.length, 0);
    return this.size > MAX_UNUSED_FACTOR * present + ROOM;
  }

  /** Adopts a snapshot: new entries get an identifier, known entries keep theirs. */
  adopt(snapshot: Overview): AdoptedSnapshot {
    const objects = this.objects.adopt(snapshot.objects);
    const object = (own: number | null) => (own === null ? null : objects.toStable(own));
    const contexts = this.contexts.adopt(
      snapshot.contexts.map((one) => ({ ...one, object: object(one.object) })),
    );
    const context = (own: number | null) => (own === null ? null : contexts.toStable(own));
    snapshot.objects.forEach((one, own) => {
      this.objects.replace(objects.toStable(own), { ...one, context: context(one.context) });
    });
    const kinds = this.kinds.adopt(snapshot.kinds);
    const levels = this.levels.adopt(
      snapshot.levels.map((one) => ({
        ...one,
        object: object(one.object),
        context: context(one.context),
      })),
    );
    const lanes = this.lanes.adopt(
      snapshot.lanes.map((one) =>
        "context" in one ? { ...one, context: contexts.toStable(one.context) } : one,
      ),
    );
    if (this.classes.length !== snapshot.classes.length) this.classes = snapshot.classes;
    return {
      ids: {
        contexts,
        objects,
        kinds,
        levels,
        lanes,
        resources: snapshot.levels.map(({ resource }) => resource),
        machines: this.adoptMachines(snapshot, contexts, objects),
        machineOf: (lane) => {
          const own = snapshot.lanes[lane];
          return own?.kind === "machine" ? contexts.toStable(own.context) : undefined;
        },
        threadClass: this.classes.find(({ name }) => name === "thread")?.code ?? -1,
      },
      overview: {
        ...snapshot,
        objects: this.objects.all,
        contexts: this.contexts.all,
        kinds: this.kinds.all,
        levels: this.levels.all.map((one, resource) => ({ ...one, resource })),
        lanes: this.lanes.all,
        // The same list as before, so that everything derived from it stays valid.
        classes: this.classes,
        machines: [...this.machines].map(
          ([number, { all }]): StateMachine => ({ context: number, states: all }),
        ),
        has_machines: this.machines.size > 0,
      },
    };
  }

  private adoptMachines(
    snapshot: Overview,
    contexts: IdMap,
    objects: IdMap,
  ): ReadonlyMap<number, MachineIds> {
    const own = new Map(
      snapshot.machines.map(({ context, states }) => [contexts.toStable(context), states]),
    );
    for (const context of own.keys()) {
      if (!this.machines.has(context)) this.machines.set(context, newStateRegistry());
    }
    const codes = stateClassCodes(this.classes);
    return new Map(
      [...this.machines].map(([context, register]) => {
        const states = (own.get(context) ?? []).map((state) => ({
          ...state,
          object: state.object === null ? null : objects.toStable(state.object),
        }));
        const numbers = register.adopt(states);
        const classes = Uint8Array.from({ length: 256 }, (_, code) => code);
        states.forEach((state, index) => {
          const number = numbers.toStable(index);
          const code = codes[number % codes.length] ?? state.class;
          register.replace(number, { ...state, class: code });
          classes[state.class] = code;
        });
        return [context, { states: numbers, classes }];
      }),
    );
  }
}

function newStateRegistry(): IdRegistry<MachineState> {
  return new IdRegistry<MachineState>(
    (state) => (state.object === null ? state.name : String(state.object)),
    (state) => ({ ...state, visits: 0, residency: 0, share: null }),
  );
}

/** Codes of the classes that states use in turn. */
function stateClassCodes(classes: readonly BarClassName[]): number[] {
  const codes: number[] = [];
  for (const { code, name } of classes) {
    const turn = STATE.exec(name)?.[1];
    if (turn !== undefined) codes[Number(turn)] = code;
  }
  return codes;
}
