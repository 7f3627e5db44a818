import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person; the owner of the hub is the one with `isOwner`. */
@Entity('person')
export class PersonRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'is_owner', type: 'boolean', nullable: true })
  isOwner!: boolean | null;

  @Column({ name: 'created_at', type: 'timestamptz', insert: false, update: false })
  createdAt!: Date;
}
