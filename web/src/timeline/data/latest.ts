/** Runs one query at a time, and always the latest. */
export class Latest<Q> {
  private busy = false;
  private wanted: Q | null = null;
  private stopped = false;

  /** `run` makes a query and stores the answer unless stopped meanwhile. */
  constructor(
    private readonly answer: (question: Q, isStopped: () => boolean) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  want(question: Q): void {
    if (this.stopped) return;
    this.wanted = question;
    if (!this.busy) void this.go();
  }

  stop(): void {
    this.stopped = true;
    this.wanted = null;
  }

  private async go(): Promise<void> {
    this.busy = true;
    while (this.wanted !== null) {
      const question = this.wanted;
      this.wanted = null;
      try {
        await this.answer(question, () => this.stopped);
      } catch (error) {
        this.failed(error);
      }
    }
    this.busy = false;
  }
}
