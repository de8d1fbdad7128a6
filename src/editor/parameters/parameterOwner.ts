import type { PlacedPrompt } from '../../core/chat/conversation/systemPrompt.ts';
import type { ParameterChange, RequestParameters } from '../../core/connections/requestParameters.ts';

/** What parameters are set for. */
export type ParameterOwner = {
  readonly place: PlacedPrompt['place'];
  /** Of the model or connection. */
  readonly name: string;
  readonly parameters: RequestParameters | undefined;
  readonly write: (change: ParameterChange) => Promise<void>;
};
