import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  gate: ({ getState, emitEvent }: { getState: string; emitEvent: string }) =>
    `Sekisho is the checkpoint for this project. Begin with ${getState}: it says where the current run stands, what is missing and which events you may emit. Submit evidence with ${emitEvent}; the gate decides the transition. Tools that the current state does not permit are refused.`,
};

/** The gate's instructions for a client that connects. */
export const introduction = definePhrases(english, ja.introduction);
