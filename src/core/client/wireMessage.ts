/** Messages in their wire format, with images and tool calls. The panel's own messages are text only. */

/** A part of a user message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      /** A `data:` URL that contains the image. */
      readonly image_url: { readonly url: string };
    };

/** A tool that a model may call. */
type WireTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of its only argument, an object. */
    readonly parameters: object;
  };
};

/** A call that a model made earlier. */
type WireToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Vendor data that came with the call, sent back unchanged. */
  readonly extra_content?: object;
};

export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      /** Null when the message consists of tool calls alone. */
      readonly content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
      /** The reasoning before the tool calls; some models require it back (wire Q59). */
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** Optional fields of a request; each is sent only when it is present. */
export type ChatExtras = {
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: 'auto' | 'required';
  /** Model options by their wire names, validated by `readModelOptions`. */
  readonly options?: { readonly [name: string]: unknown };
};
