/** What a directory knows of an agent id (D22). */
export type AgentStanding = 'agent' | 'not-an-agent' | 'unknown';

/** Which agent to look up, and for which application of which organization. */
export interface AgentQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly agentId: string;
}

/** Knows the organization's agents. Without one, the settings' agent lists decide (D22). */
export interface AgentDirectory {
  /** Looks one agent up; a rejection fails the operation without any effect. */
  standingOf(query: AgentQuery): Promise<AgentStanding> | AgentStanding;
}
