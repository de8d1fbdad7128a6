import type { Exchange } from '../exchange.ts';
import type { Settings } from '../settings.ts';

export async function answerConsole(exchange: Exchange, _settings: Settings): Promise<void> {
  exchange.response.writeHead(404).end();
}
