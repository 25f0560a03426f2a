/** Things that keep their numbers over the editions of a live trace, whatever an edition calls them. */

/** The numbers of one edition and those that stay. */
export class Numbers {
  private readonly own = new Map<number, number>();

  /** `lasting` are the numbers that stay, by those of the edition. */
  constructor(private readonly lasting: readonly number[]) {
    for (const [own, number] of lasting.entries()) this.own.set(number, own);
  }

  /** The number that stays; what is no number of the edition's stays what it is. */
  lastingOf(own: number): number {
    return this.lasting[own] ?? own;
  }

  /** The number in the edition; `undefined` if the edition does not have it. */
  ownOf(lasting: number): number | undefined {
    return this.own.get(lasting);
  }

  /** Those that stay, in the order of the edition. */
  get all(): readonly number[] {
    return this.lasting;
  }

  /** A column of numbers in place. */
  rename(column: Uint32Array): void {
    column.forEach((own, index) => {
      column[index] = this.lastingOf(own);
    });
  }
}

/** All of a kind that ever were in an edition, by the numbers that stay. */
export class Register<T> {
  private readonly numbers = new Map<string, number>();
  private entries: T[] = [];

  /** Two are the same if they have the same key. `gone` is what is known of one that an edition has not. */
  constructor(
    private readonly keyOf: (one: T) => string,
    private readonly gone: (one: T) => T,
  ) {}

  /** All by their numbers: another list for each edition. */
  get all(): T[] {
    return this.entries;
  }

  /** How many there are. */
  get size(): number {
    return this.entries.length;
  }

  /** Says more of one that the last edition has. */
  put(number: number, one: T): void {
    this.entries[number] = one;
  }

  /** Takes an edition's list. */
  take(list: readonly T[]): Numbers {
    const times = new Map<string, number>();
    const lasting: number[] = [];
    const entries = this.entries.map(this.gone);
    for (const one of list) {
      const key = this.keyOf(one);
      // Of several that cannot be told apart, the first stays the first.
      const time = times.get(key) ?? 0;
      times.set(key, time + 1);
      const full = `${time} ${key}`;
      const number = this.numbers.get(full) ?? this.numbers.size;
      this.numbers.set(full, number);
      entries[number] = one;
      lasting.push(number);
    }
    this.entries = entries;
    return new Numbers(lasting);
  }
}
