/** A process as the machine reads it: flat, complete, plain JSON, so that it can be kept in the store by digest. */
export interface Definition {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly initial_state: string;
  readonly initial_context: JsonObject;
  readonly context_schema: JsonObject | undefined;
  /** What `create_run` may set although a guard reads it. */
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
  /** The yes that guards of the ways out count, for whoever has no time to load the guards. */
  readonly counted: readonly Counted[];
  readonly is_final: boolean;
}

/** Events that a guard counts as somebody's yes. */
export interface Counted {
  readonly event: string;
  /** Undefined: whatever the role of who says it. */
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
  /** Absent: every role. Empty: nobody. */
  readonly allowed_roles: readonly string[] | undefined;
  readonly payload_schema: JsonObject | undefined;
  /** Which payload fields enter the context. Absent: all. False: none. */
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

/** A guard's name, or a guard written where it is used. */
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
}

export interface Role {
  readonly name: string;
  /** Absent: a person's, but for `agent` itself. */
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

/** What a guard is called in messages: its name, or its type where it is written in place. */
export function guardName(reference: GuardReference): string {
  return typeof reference === 'string' ? reference : reference.type;
}

export function guardSpec(definition: Definition, reference: GuardReference): GuardSpec | undefined {
  return typeof reference === 'string' ? definition.guards[reference] : reference;
}
