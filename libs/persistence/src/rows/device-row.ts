import type { DevicePublicKey } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device of a person's. The times come from the database's clock. */
@Entity('device')
export class DeviceRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'person_id', type: 'uuid' })
  personId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'public_key', type: 'jsonb' })
  publicKey!: DevicePublicKey;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  createdAt!: Date;

  @Column({ name: 'last_seen_at', type: 'timestamptz', insert: false })
  lastSeenAt!: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true, insert: false })
  revokedAt!: Date | null;
}
