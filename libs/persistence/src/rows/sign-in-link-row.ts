import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A one-time link; what opens it is the secret, of which only the hash is here. */
@Entity('sign_in_link')
export class SignInLinkRow {
  @PrimaryColumn({ name: 'secret_hash', type: 'text' })
  secretHash!: string;

  @Column({ name: 'person_id', type: 'uuid' })
  personId!: string;

  @Column({ type: 'text' })
  purpose!: 'first' | 'pair';

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ name: 'spent_at', type: 'timestamptz', nullable: true })
  spentAt!: Date | null;

  @Column({ name: 'spent_by', type: 'uuid', nullable: true })
  spentBy!: string | null;

  @Column({ name: 'used_again_at', type: 'timestamptz', nullable: true })
  usedAgainAt!: Date | null;

  @Column({ name: 'used_again_by', type: 'text', nullable: true })
  usedAgainBy!: string | null;
}
