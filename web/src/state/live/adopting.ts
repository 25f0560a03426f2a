/** Loads the snapshots of a live trace into its state. */

import { batch } from "@preact/signals";
import { type Door, door as wayTo } from "../../session/door";
import type { EditionDoor } from "../../session/edition/door";
import { placed } from "../../session/edition/edition";
import { Names } from "../../session/edition/naming";
import type { LiveStatus, Overview } from "../../session/wire";
import { forgetEach } from "../each";
import type { TraceState } from "../trace";
import { report } from "../viewer";
import { dropBefore } from "./dropping";

/**
 * Minimum interval between updates of panels and tables while the view follows, in milliseconds.
 */
const NEWS = 1000;

export class Adopting {
  private names = new Names();
  private size = 0;
  private told = 0;
  private untold: Overview | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(
    private readonly trace: TraceState,
    private readonly door: EditionDoor,
    private readonly way: (id: number, edition: number) => Door = wayTo,
  ) {}

  /**
   * Loads a snapshot and shows it, unless another one is loaded meanwhile. Returns whether it is
   * shown. While the view follows, marks before the snapshot are dropped, and panels are updated at
   * a limited rate.
   */
  async adopt({ edition: number }: LiveStatus, isFollowing: boolean): Promise<boolean> {
    this.turn += 1;
    const { turn } = this;
    const edition = await this.way(this.trace.id, number).ask({ ask: "overview" });
    if (turn !== this.turn) return false;
    const isAnew = this.names.isCrowded(edition);
    if (isAnew) this.names = new Names();
    const { overview, naming } = this.names.adopt(placed(edition));
    const isOther = isAnew || this.names.size !== this.size;
    this.size = this.names.size;
    const { base, events, span } = overview;
    batch(() => {
      this.door.edition = { number, base, events, naming };
      this.trace.extent.value = { base, events, span };
      this.untold = overview;
      if (isFollowing) dropBefore(this.trace, base);
      if (isOther || !isFollowing) this.tell();
      else this.tellSoon();
      if (isAnew) {
        this.trace.lanes.reset();
        this.trace.by.value = { mode: "event" };
        forgetEach(this.trace);
        this.trace.numbering.value += 1;
      }
      this.trace.lanes.extend(naming.lanes.all);
      if (isOther) this.trace.structure.value += 1;
    });
    if (!isFollowing || this.told === 1) this.recallBookmarks().catch(report);
    return true;
  }

  stop(): void {
    this.turn += 1;
    clearTimeout(this.timer);
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => batch(() => this.tell()), NEWS);
  }

  private tell(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.untold === null) return;
    const overview = this.untold;
    this.untold = null;
    this.told += 1;
    // Times have no meaning then.
    if (this.told === 1 && overview.clock.quality === "static") this.trace.axis.value = "index";
    this.trace.describe(overview);
    this.trace.hz.value = overview.clock.hz;
    this.trace.news.value += 1;
  }

  private async recallBookmarks(): Promise<void> {
    const { edition } = this.door;
    if (edition === null) return;
    const bookmarks = await this.door.ask<"bookmarks">({ ask: "bookmarks" });
    if (this.door.edition === edition) this.trace.bookmarks.value = bookmarks;
  }
}
