/**
 * Thrown by a transport for a request that was certainly not sent: the error in `cause` occurred before its first byte
 * was written.
 */
export class ConnectError extends Error {
  constructor(cause: unknown) {
    super('No connection was made, so nothing was sent', { cause });
    this.name = 'ConnectError';
  }
}
