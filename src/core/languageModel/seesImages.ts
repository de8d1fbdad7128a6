/**
 * Families whose makers document image input, as ids begin or as parts of ids say it. Asked only for lists that state
 * nothing of the matter. A wrong yes costs one rejected request, a wrong no keeps images out.
 */
const seeing =
  /(?:^|[/.:])(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o[34](?:-|$)|claude-(?:3|opus|sonnet|haiku)|gemini|gemma-3|pixtral|mistral-(?:medium|small)-?[23]|llama-4|grok-4|qwen3\.5|kimi-k2\.5|nova-(?:lite|pro|premier))|(?:^|[-/.])(?:vl|vision|omni)(?:[-:.\d]|$)|(?:glm-4(?:\.\d)?v)/i;
const blind = /o3-mini|gpt-4o.{0,100}(?:audio|realtime|transcribe|tts)/i;

/** Whether a model of this name is known to take images. */
export function seesImages(id: string): boolean {
  const name = id.slice(-200);
  return seeing.test(name) && !blind.test(name);
}
