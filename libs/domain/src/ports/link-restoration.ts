import type {
  ConversationId,
  HubRun,
  Incarnation,
  Instant,
  ProviderId,
  RelayId,
  RelayMode,
  SessionSpec,
} from '#contracts';

/** Which incarnation of the hub's database this is (link rule 10). */
export interface Incarnations {
  readonly current: Incarnation;
  /** Those before it, the newest first. */
  readonly earlier: readonly Incarnation[];
  /** When the current one began, where it began because the database had been put back. */
  readonly restoredAt?: Instant;
}

/** A conversation as a relay knows it: how much of the hub's it has. */
export interface KnownToRelay {
  readonly conversationId: ConversationId;
  readonly epoch: number;
  readonly received: number;
}

/** Where what a relay knows can't be true of this database. */
export interface Contradictions {
  /** Numbers that the relay has were given out a second time. */
  readonly reused: readonly ConversationId[];
  /** The database has no such conversation. */
  readonly unknown: readonly ConversationId[];
}

/** What to put right for one relay. */
export interface Mending {
  readonly relayId: RelayId;
  /** The incarnation that was in force when this was decided on. */
  readonly seen: Incarnation;
  /** Whether a new one begins: sessions and links are void, modes fall. */
  readonly begins: boolean;
  /** How many conversations of the relay's this database knows too little of, or not at all. */
  readonly conversations: number;
  readonly ahead: readonly KnownToRelay[];
  readonly lost: readonly (KnownToRelay & { readonly session: SessionSpec })[];
  /** Lives of the hub that the relay was attached to; empty where it does not know. */
  readonly runs: readonly HubRun[];
  /** The strictest mode of each provider of each relay. */
  readonly modes: readonly {
    readonly relayId: RelayId;
    readonly provider: ProviderId;
    readonly mode: RelayMode;
  }[];
}

/** Link rule 10: a database that was put back to an older state, and relays that know more than it does. */
export abstract class LinkRestoration {
  /** The mark of this life of the hub. */
  abstract readonly run: HubRun;
  /** Begins the first one where there is none yet. */
  abstract incarnations(): Promise<Incarnations>;
  abstract contradictions(of: {
    readonly relayId: RelayId;
    readonly known: readonly KnownToRelay[];
    readonly runs: readonly HubRun[];
  }): Promise<Contradictions>;
  /**
   * The lives of the hub of which messages wait for a relay, at most `most`. A message is handed out by whichever life
   * the relay comes to, so a relay that has it need not have met the one that wrote it.
   */
  abstract runsToHandOut(relayId: RelayId, most: number): Promise<HubRun[]>;
  /** All of it in one transaction. Gives the incarnation that is in force then. */
  abstract mend(mending: Mending): Promise<Incarnations>;
}
