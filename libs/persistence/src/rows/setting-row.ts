import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A setting or key of the hub's. The value may be secret. */
@Entity('setting')
export class SettingRow {
  @PrimaryColumn({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  value!: string;
}
