/** The open context menu. */

import { type Signal, signal } from "@preact/signals";

export interface MenuItem {
  title: string;
  run: () => void;
  /** For a choice among several. */
  chosen?: boolean;
  disabled?: boolean;
}

export interface MenuSection {
  title: string;
  items: readonly MenuItem[];
}

export interface ContextMenuContents {
  /** What the menu is about, for screen readers. */
  label: string;
  heading: string;
  facts: readonly (readonly [name: string, value: string])[];
  sections: readonly MenuSection[];
}

export interface OpenContextMenu extends ContextMenuContents {
  x: number;
  y: number;
  /** Element to focus when the menu closes. */
  from: HTMLElement;
}

/** Only one is open at a time. */
export const contextMenu: Signal<OpenContextMenu | null> = signal(null);
