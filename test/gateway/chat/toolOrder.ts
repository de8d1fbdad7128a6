/** As much of a message as the order of tools needs. */
interface OrderedMessage {
  readonly role: string;
  readonly tool_calls?: readonly { readonly id?: string | undefined }[] | null | undefined;
  readonly tool_call_id?: string | null | undefined;
}

/**
 * What OpenAI refuses: a call of a tool without its result right after it, and a result of no call before it. Messages
 * without ids are let through, as small servers do.
 *
 * @returns what is wrong, in a sentence; undefined when nothing is.
 */
export function toolOrderProblem(messages: readonly OrderedMessage[]): string | undefined {
  let open = new Set<string>();
  let known = new Set<string>();
  for (const { role, tool_calls, tool_call_id } of messages) {
    if (role === 'tool') {
      if (typeof tool_call_id === 'string') {
        if (!known.has(tool_call_id)) {
          return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${tool_call_id}`;
        }
        open.delete(tool_call_id);
      }
      continue;
    }
    if (open.size > 0) {
      break;
    }
    known = new Set((tool_calls ?? []).flatMap(({ id }) => (id === undefined ? [] : [id])));
    open = new Set(known);
  }
  return open.size === 0
    ? undefined
    : `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open].join(', ')}`;
}
