import { Injectable } from '@nestjs/common';
import {
  MOST_EARLIER_RUNS,
  type HubCursor,
  type HubRun,
  type Incarnation,
  type RelayCursor,
  type RelayId,
} from '#contracts';
import {
  beginsIncarnation,
  knownOf,
  knowsMore,
  LinkRestoration,
  LinkStore,
  RelayStore,
  strictestMode,
  type Incarnations,
  type LinkCursor,
  type Mending,
} from '#domain';
import { lineKey, type Assignment } from '../relays/relay-connections.js';
import { AfterRestoration } from './after-restoration.js';

/** Where both ends of the link are. */
export interface Places {
  readonly conversations: HubCursor[];
  /** How far the relay has what this hub sent, for those conversations that it has not all of. */
  readonly behind: readonly (Assignment & { readonly received: number })[];
  /** The incarnation that was in force, and the one that is. */
  readonly before: Incarnation;
  readonly incarnation: Incarnation;
}

/** What a relay says of the hubs that it was attached to. */
export interface SaidOfHub {
  readonly relayId: RelayId;
  /** That of its last attach. */
  readonly incarnation: Incarnation | undefined;
  readonly runs: readonly string[];
  /** Whether it has a token that this hub has no record of. */
  readonly hasLaterToken: boolean;
}

interface News {
  readonly ahead: readonly RelayCursor[];
  readonly unknown: readonly RelayCursor[];
}

/**
 * link.1, link.2, link.10: both ends' places; which of the relay's conversations are not its any more; and what the relay
 * knows that this hub's database, put back to an older state, does not.
 */
@Injectable()
export class ComparePlaces {
  constructor(
    private readonly link: LinkStore,
    private readonly restoration: LinkRestoration,
    private readonly relays: RelayStore,
    private readonly after: AfterRestoration,
  ) {}

  /** The mark of this life of the hub. */
  get run(): string {
    return this.restoration.run;
  }

  /** The lives of the hub before this one of which something is to be sent to a relay. */
  async earlierRuns(relayId: RelayId): Promise<HubRun[]> {
    const runs = await this.restoration.runsToHandOut(relayId, MOST_EARLIER_RUNS);
    return runs.filter((run) => run !== this.run);
  }

  async compare(said: SaidOfHub, theirs: readonly RelayCursor[]): Promise<Places> {
    const news = await this.newsOf(said, theirs);
    const { before, after } = await this.putRight(said, news);
    const unknown = news.unknown.filter(({ session }) => session === undefined);
    const nowhere = new Set(unknown.map(lineKey));
    const known = theirs.filter((cursor) => !nowhere.has(lineKey(cursor)));
    const ours = await this.link.cursors(said.relayId, idsOf(known));
    const { conversations, behind } = places(known, ours);
    return {
      conversations: [...unknown.map(unknownHere), ...conversations],
      ...{ behind, before: before.current, incarnation: after.current },
    };
  }

  private async newsOf(said: SaidOfHub, theirs: readonly RelayCursor[]): Promise<News> {
    const { relayId, runs } = said;
    const [ours, found] = await Promise.all([
      this.link.cursors(relayId, idsOf(theirs)),
      this.restoration.contradictions({ relayId, known: theirs.map(knownOf), runs }),
    ]);
    const mine = new Map(ours.map((cursor) => [lineKey(cursor), cursor]));
    const reused = new Set(found.reused);
    const unknown = new Set(found.unknown);
    return {
      ahead: theirs.filter((cursor) => {
        const own = mine.get(lineKey(cursor));
        return own !== undefined && (knowsMore(cursor, own) || reused.has(cursor.conversationId));
      }),
      unknown: theirs.filter(({ conversationId }) => unknown.has(conversationId)),
    };
  }

  private async putRight(
    said: SaidOfHub,
    { ahead, unknown }: News,
  ): Promise<{ before: Incarnations; after: Incarnations }> {
    const before = await this.restoration.incarnations();
    const begins = beginsIncarnation({
      knowsMore: ahead.length > 0 || unknown.length > 0 || said.hasLaterToken,
      last: said.incarnation,
      incarnations: before,
    });
    const lost = unknown.flatMap(({ session, ...cursor }) =>
      session === undefined ? [] : [{ ...knownOf(cursor), session }],
    );
    if (!begins && ahead.length + lost.length === 0) return { before, after: before };
    const { relayId, runs } = said;
    const conversations = ahead.length + unknown.length;
    const after = await this.restoration.mend({
      conversations,
      ...{ relayId, runs, begins, lost, seen: before.current },
      ahead: ahead.map(knownOf),
      modes: await this.strictestModes(),
    });
    if (after.current !== before.current) {
      this.after.began({ incarnation: after.current, conversations });
    }
    return { before, after };
  }

  private async strictestModes(): Promise<Mending['modes']> {
    const relays = await this.relays.list();
    return relays.flatMap(({ id: relayId, providers }) =>
      providers.flatMap(({ descriptor }) => {
        const mode = strictestMode(descriptor);
        return mode === undefined ? [] : [{ relayId, provider: descriptor.id, mode }];
      }),
    );
  }
}

const idsOf = (cursors: readonly RelayCursor[]): RelayCursor['conversationId'][] =>
  cursors.map(({ conversationId }) => conversationId);

const unknownHere = ({ conversationId, epoch }: RelayCursor): HubCursor => ({
  ...{ conversationId, epoch, sent: 0, received: 0 },
  ...{ stale: false, unknown: true },
});

/** An assignment that is over is stale; one that is new to the relay stands beside it, with nothing received. */
function places(
  theirs: readonly RelayCursor[],
  ours: readonly LinkCursor[],
): Pick<Places, 'conversations' | 'behind'> {
  const inForce = new Set(ours.map(lineKey));
  const held = new Map(theirs.map((cursor) => [lineKey(cursor), cursor]));
  const stale = theirs
    .filter((cursor) => !inForce.has(lineKey(cursor)))
    .map(({ conversationId, epoch }): HubCursor => {
      return { conversationId, epoch, sent: 0, received: 0, stale: true };
    });
  const behind = ours.flatMap((cursor) => {
    const received = held.get(lineKey(cursor))?.received ?? 0;
    const { conversationId, epoch, sent } = cursor;
    return sent > received ? [{ conversationId, epoch, received }] : [];
  });
  const standing = ours.map(({ remembers, ...cursor }): HubCursor => {
    return { ...cursor, stale: false, ...(remembers === null ? {} : { remembers }) };
  });
  return { conversations: [...stale, ...standing], behind };
}
