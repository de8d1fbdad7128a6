/** The program of a worker thread: reads the certificate authorities of the system, which blocks its thread. */
import * as tls from 'node:tls';
import { parentPort } from 'node:worker_threads';

// Since Node 22.15.
parentPort?.postMessage(tls.getCACertificates?.('system'));
