import type { QuickPickItem } from 'vscode';

const events = ['ChangeValue', 'ChangeSelection', 'TriggerButton', 'TriggerItemButton', 'Accept', 'Hide'];

/** A quick pick or an input box of a fake VS Code, as `new FakePick()` in its code, which the test operates. */
export class FakePick {
  /** What is shown. */
  static front: FakePick | undefined;
  /** A file of tests that sets it has `afterEach(FakePick.forget)`, because several files share a process. */
  static onShow: ((pick: FakePick) => void) | undefined;
  static readonly forget = (): void => {
    FakePick.onShow = undefined;
  };

  declare readonly prompt: string | undefined;
  declare readonly password: boolean | undefined;
  declare readonly busy: boolean | undefined;
  declare readonly validationMessage: string | undefined;
  title = '';
  placeholder = '';
  value = '';
  items: readonly QuickPickItem[] = [];
  activeItems: readonly QuickPickItem[] = [];
  selectedItems: readonly QuickPickItem[] = [];
  readonly #listeners = new Map<string, (event: unknown) => unknown>();

  constructor() {
    for (const event of events) {
      const listen = (listener: (event: unknown) => unknown) => {
        this.#listeners.set(event, listener);
        return { dispose: () => undefined };
      };
      Object.assign(this, { [`onDid${event}`]: listen });
    }
  }

  fire(event: string, what?: unknown): unknown {
    return this.#listeners.get(event)?.(what);
  }

  type(text: string): void {
    this.value = text;
    this.fire('ChangeValue', text);
  }

  check(items: readonly QuickPickItem[]): void {
    this.selectedItems = items;
    this.fire('ChangeSelection', items);
  }

  /** Presses Enter. */
  accept(): void {
    this.fire('Accept');
  }

  hide(): void {
    this.fire('Hide');
  }

  show(): void {
    FakePick.front = this;
    FakePick.onShow?.(this);
  }

  dispose(): void {
    if (FakePick.front === this) {
      FakePick.front = undefined;
    }
  }
}

Object.assign(globalThis, { FakePick });
