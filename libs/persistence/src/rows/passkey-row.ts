import type { PasskeyRequirement } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A passkey of a person's; a removed one stays. */
@Entity('passkey')
export class PasskeyRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'person_id', type: 'uuid' })
  personId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'rp_id', type: 'text' })
  rpId!: string;

  @Column({ name: 'credential_id', type: 'text' })
  credentialId!: string;

  @Column({ name: 'public_key', type: 'text' })
  publicKey!: string;

  @Column({ type: 'jsonb' })
  transports!: readonly string[];

  /** A bigint comes as text. */
  @Column({ type: 'bigint' })
  counter!: string | number;

  @Column({ type: 'boolean' })
  synced!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  createdAt!: Date;

  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true, insert: false })
  lastUsedAt!: Date | null;

  @Column({ name: 'suspended_at', type: 'timestamptz', nullable: true, insert: false })
  suspendedAt!: Date | null;

  @Column({ name: 'removed_at', type: 'timestamptz', nullable: true, insert: false })
  removedAt!: Date | null;
}

/** Which decisions of a person's need a passkey; none where there is no row. */
@Entity('passkey_requirement')
export class PasskeyRequirementRow {
  @PrimaryColumn({ name: 'person_id', type: 'uuid' })
  personId!: string;

  @Column({ type: 'text' })
  requirement!: PasskeyRequirement;
}
