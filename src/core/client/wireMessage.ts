/** Messages as they go over the wire when there is more in them than text; the panel's own are text alone. */

/** A piece of what a person says. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      /** A `data:` address with the image in it. */
      readonly image_url: { readonly url: string };
    };

/** A tool that a model may call. */
type WireTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of its one argument, an object. */
    readonly parameters: object;
  };
};

/** A call that a model made earlier. */
type WireToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** As it came with the call. */
  readonly extra_content?: object;
};

export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      /** Null where it only called tools. */
      readonly content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
      /** What it thought before it called; some models want it back (wire Q59). */
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** What a request may hold besides its messages; each is sent only when it is there. */
export type ChatExtras = {
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: 'auto' | 'required';
  /** Options by their names on the wire, as `readModelOptions` lets them through. */
  readonly options?: { readonly [name: string]: unknown };
};
