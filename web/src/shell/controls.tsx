/** Controls that panels, dialogs and the timeline share. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { Icon, type IconName } from "./Icon";

/** Handler that sets a signal. */
export function set<T>(of: Signal<T>, value: NoInfer<T>): () => void {
  return () => {
    of.value = value;
  };
}

/** Properties of a text field that edits a signal. */
export function textOf(of: Signal<string>) {
  return {
    value: of.value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      of.value = currentTarget.value;
    },
  };
}

type ButtonProps = JSX.IntrinsicElements["button"];

/** A button that submits no form. */
export function Button(props: ButtonProps) {
  return <button type="button" {...props} />;
}

/** A button with an icon alone. */
export function IconButton({
  icon,
  label,
  ...props
}: ButtonProps & { icon: IconName; label: string }) {
  return (
    <Button class="plain" aria-label={label} {...props}>
      <Icon name={icon} />
    </Button>
  );
}

/** The choices of a selection: their values and titles. */
export function Options({ of }: { of: readonly (readonly [string | number, string])[] }) {
  return (
    <>
      {of.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </>
  );
}

/** Properties of a check box that sets a signal. */
export function checkOf(of: Signal<boolean>) {
  return {
    checked: of.value,
    change: (isChecked: boolean) => {
      of.value = isChecked;
    },
  };
}

interface CheckProps {
  checked: boolean;
  change: (isChecked: boolean) => void;
  /** Name of the box itself. */
  name?: string;
  /** Tooltip. */
  title?: string;
  children: ComponentChildren;
}

/** A check box and its label. */
export function Check({ checked, change, name, title, children }: CheckProps) {
  return (
    <label title={title}>
      <input
        type="checkbox"
        aria-label={name}
        checked={checked}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />{" "}
      {children}
    </label>
  );
}

interface SegmentsProps<K> {
  label: string;
  of: readonly { key: K; title: string; hint: string; disabled?: boolean }[];
  chosen: K | undefined;
  choose: (key: K) => void;
}

/** Buttons, one of them pressed. */
export function Segments<K extends string | number>({
  label,
  of,
  chosen,
  choose,
}: SegmentsProps<K>) {
  return (
    <fieldset class="segments" aria-label={label}>
      {of.map(({ key, title, hint, disabled }) => (
        <Button
          key={key}
          aria-pressed={key === chosen}
          disabled={disabled}
          title={hint}
          onClick={() => choose(key)}
        >
          {title}
        </Button>
      ))}
    </fieldset>
  );
}

interface SuggestedProps {
  label: string;
  value: string;
  change: (value: string) => void;
  placeholder: string;
  /** Id of the suggestions. */
  list: string;
  /** Values, each with what it is. */
  suggestions: readonly { value: string; label?: string }[];
  /** Further attributes of the field. */
  attributes?: {
    class?: string;
    spellcheck?: boolean;
    autocomplete?: "off";
    "aria-invalid"?: boolean;
  };
}

/** A text field with its label and suggestions. */
export function Suggested(props: SuggestedProps) {
  const { label, value, change, placeholder, list, suggestions, attributes } = props;
  return (
    <label>
      {label}
      <input
        {...attributes}
        list={list}
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <datalist id={list}>
        {suggestions.map((one, number) => (
          <option key={number} {...one} />
        ))}
      </datalist>
    </label>
  );
}
