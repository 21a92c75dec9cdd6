/** A compiled process. It is flat, complete, plain JSON, so that the store can keep it by digest. */
export interface Definition {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly initial_state: string;
  readonly initial_context: JsonObject;
  readonly context_schema: JsonObject | undefined;
  /** Context variables that `create_run` may set although a guard reads them. */
  readonly inputs: readonly string[];
  readonly states: readonly State[];
  readonly events: readonly Event[];
  readonly transitions: readonly Transition[];
  readonly guards: Readonly<Record<string, GuardSpec>>;
  readonly artifacts: readonly ArtifactType[];
  readonly roles: readonly Role[];
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface State {
  readonly name: string;
  readonly description: string;
  readonly prompt: string | undefined;
  readonly required_artifacts: readonly ({ readonly type: string } | { readonly path: string })[];
  readonly tool_permissions: ToolPermissions | undefined;
  /** Approvals that guards out of this state count. Hooks read them here: loading the guards takes too long. */
  readonly counted: readonly CountedApproval[];
  readonly is_final: boolean;
}

export interface CountedApproval {
  readonly event: string;
  /** The role that must emit the event; undefined: any role. */
  readonly role: string | undefined;
}

export interface ToolPermissions {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly ask: readonly string[];
}

export interface Event {
  readonly name: string;
  readonly description: string;
  /** Roles that may emit the event. Absent: every role. Empty: none. */
  readonly allowed_roles: readonly string[] | undefined;
  readonly payload_schema: JsonObject | undefined;
  /** Payload fields that enter the context. Absent: all. False: none. */
  readonly context: readonly string[] | false | undefined;
}

export interface Transition {
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly guards: readonly GuardReference[];
  readonly allowed_roles: readonly string[] | undefined;
  readonly description: string | undefined;
}

export type GuardReference = string | GuardSpec;

export interface GuardSpec {
  readonly type: string;
  readonly description?: string;
  readonly [parameter: string]: unknown;
}

export interface ArtifactType {
  readonly type: string;
  readonly description: string;
  readonly path: string | undefined;
  readonly schema: JsonObject | undefined;
  /** False: its files are working papers. The store keeps them, and they are never committed or landed. */
  readonly land?: false | undefined;
}

export interface Role {
  readonly name: string;
  /** Kind of caller that can have the role. Absent: a person, except for `agent` itself. */
  readonly kind?: 'agent' | 'person' | undefined;
  readonly allowed_events: readonly string[] | undefined;
  readonly can_approve: boolean;
  readonly can_reject: boolean;
}

export function findState(definition: Definition, name: string): State | undefined {
  return definition.states.find((state) => state.name === name);
}

export function findEvent(definition: Definition, name: string): Event | undefined {
  return definition.events.find((event) => event.name === name);
}

export function guardsOutOf(
  { transitions }: Pick<Definition, 'transitions'>,
  state: string,
): readonly GuardReference[] {
  return transitions.filter((one) => one.from === state).flatMap((one) => one.guards);
}

/** Returns the name of a guard for messages: its own name, or its type if it is inline. */
export function guardName(reference: GuardReference): string {
  return typeof reference === 'string' ? reference : reference.type;
}

export function guardSpec(definition: Definition, reference: GuardReference): GuardSpec | undefined {
  return typeof reference === 'string' ? definition.guards[reference] : reference;
}
