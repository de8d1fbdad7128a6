/**
 * undici, in a bundle of its own: it is a third of the code of the host, and only the first request needs it. Imported
 * module by module, because the whole package writes to slots that the `fetch` of other extensions reads.
 */
export { default as api } from 'undici/lib/api/index.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
