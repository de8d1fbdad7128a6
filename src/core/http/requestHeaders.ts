/**
 * The headers of a request to a gateway, with names in lower case. The connection's extra headers can replace the user
 * agent, because a protection service may require another one (wire Q79), but not the key and the accepted type.
 *
 * @param own the connection's extra headers; an `Authorization` among them is never sent, not even without a key.
 * @param key undefined or empty for a call without a key.
 */
export function requestHeaders(
  userAgent: string,
  own: Readonly<Record<string, string>>,
  key: string | undefined,
): Record<string, string> {
  const extra = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { authorization: _, ...rest } = Object.fromEntries(extra);
  return {
    'user-agent': userAgent,
    ...rest,
    ...(key && { authorization: `Bearer ${key}` }),
    accept: 'application/json',
  };
}
