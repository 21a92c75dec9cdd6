/** What the server says of itself at `initialize`. Light: it is said before anything else is loaded. */
export function identity(version: string) {
  return {
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: 'sekisho', title: 'Sekisho', version },
    instructions,
  };
}

const instructions =
  'Sekisho is the checkpoint for this project. Begin with state_gate.get_state: it says where the current run stands, what is missing and which events you may emit. ' +
  'Submit evidence with state_gate.emit_event; the gate decides the transition. Tools that the current state does not permit are refused. Tools of other servers may be locked: load the skill that the refusal names, then call activate.';
