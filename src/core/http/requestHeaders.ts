/**
 * The headers of a request to a gateway, their names in lower case. The connection's own come in between: a protection
 * service may want another user agent (wire Q79), but the key and what we can read are not negotiable.
 *
 * @param own the connection's extra headers; one called `Authorization` never goes out, with a key or without one.
 * @param key left out for an endpoint that is asked without it.
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
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    accept: 'application/json',
  };
}
