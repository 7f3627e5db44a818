import type { ProviderOnRelay } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A relay, with what it said of itself when it was attached last. */
@Entity('relay')
export class RelayRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'public_key', type: 'text' })
  publicKey!: string;

  @Column({ type: 'text', insert: false })
  version!: string;

  @Column({ type: 'jsonb', insert: false })
  providers!: ProviderOnRelay[];

  @Column({ name: 'token_hash', type: 'text', nullable: true, insert: false })
  tokenHash!: string | null;

  @Column({ name: 'next_token_hash', type: 'text', nullable: true, insert: false })
  nextTokenHash!: string | null;

  @Column({ name: 'tokens_issued', type: 'int', insert: false })
  tokensIssued!: number;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  createdAt!: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz', insert: false })
  lastSeenAt!: Date;
}
