/** Runs one query at a time, and always the latest. */
export class LatestQuery<Q> {
  private busy = false;
  private next: Q | null = null;
  private stopped = false;

  /** `run` makes a query and stores the answer unless stopped meanwhile. */
  constructor(
    private readonly run: (question: Q, isStopped: () => boolean) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  request(question: Q): void {
    if (this.stopped) return;
    this.next = question;
    if (!this.busy) void this.runAll();
  }

  stop(): void {
    this.stopped = true;
    this.next = null;
  }

  private async runAll(): Promise<void> {
    this.busy = true;
    while (this.next !== null) {
      const question = this.next;
      this.next = null;
      try {
        await this.run(question, () => this.stopped);
      } catch (error) {
        this.failed(error);
      }
    }
    this.busy = false;
  }
}
