/** A route on which others can read the key. */
export type ClearRoute = {
  /** Identifies the route once the person has accepted it: `direct`, `editor`, or the proxy's origin. */
  readonly id: string;
  /** Host and port of the proxy that can read the key. */
  readonly proxy?: string;
};

/** Thrown before a request would be sent on a `ClearRoute` that the person hasn't accepted. */
export class ClearRouteError extends Error {
  readonly route: ClearRoute;

  constructor(route: ClearRoute) {
    super('Others could read the key on a route that was not accepted');
    this.name = 'ClearRouteError';
    this.route = route;
  }
}
