/** Stable identifiers for entries of the snapshots of a live trace. */

/** Maps the identifiers of one snapshot to stable identifiers. */
export class IdMap {
  private readonly local = new Map<number, number>();

  /** `stable` has the stable identifier of each identifier of the snapshot. */
  constructor(private readonly stable: readonly number[]) {
    for (const [own, number] of stable.entries()) this.local.set(number, own);
  }

  /** Stable identifier; a number that the snapshot does not use is returned as it is. */
  toStable(own: number): number {
    return this.stable[own] ?? own;
  }

  /** Identifier in the snapshot; `undefined` if the snapshot does not have the entry. */
  toLocal(lasting: number): number | undefined {
    return this.local.get(lasting);
  }

  /** Stable identifiers in the order of the snapshot. */
  get all(): readonly number[] {
    return this.stable;
  }

  /** Translates a column in place. */
  translateColumn(column: Uint32Array): void {
    column.forEach((own, index) => {
      column[index] = this.toStable(own);
    });
  }
}

/** All entries of one type that were ever in a snapshot, by stable identifier. */
export class IdRegistry<T> {
  private readonly numbers = new Map<string, number>();
  private entries: T[] = [];

  /**
   * Entries with the same key are the same. `gone` clears an entry that a snapshot no longer has.
   */
  constructor(
    private readonly keyOf: (one: T) => string,
    private readonly gone: (one: T) => T,
  ) {}

  /** Entries by stable identifier; a new list for each snapshot. */
  get all(): T[] {
    return this.entries;
  }

  /** Number of entries. */
  get size(): number {
    return this.entries.length;
  }

  /** Replaces an entry of the last snapshot. */
  replace(number: number, one: T): void {
    this.entries[number] = one;
  }

  /** Adopts the list of a snapshot. */
  adopt(list: readonly T[]): IdMap {
    const times = new Map<string, number>();
    const lasting: number[] = [];
    const entries = this.entries.map(this.gone);
    for (const one of list) {
      const key = this.keyOf(one);
      // Entries with the same key keep their order.
      const time = times.get(key) ?? 0;
      times.set(key, time + 1);
      const full = `${time} ${key}`;
      const number = this.numbers.get(full) ?? this.numbers.size;
      this.numbers.set(full, number);
      entries[number] = one;
      lasting.push(number);
    }
    this.entries = entries;
    return new IdMap(lasting);
  }
}
