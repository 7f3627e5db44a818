import { DeviceRow } from './device-row.js';
import { PasskeyRequirementRow, PasskeyRow } from './passkey-row.js';
import { PersonRow } from './person-row.js';
import { RelayRow } from './relay-row.js';
import { SettingRow } from './setting-row.js';
import { SignInLinkRow } from './sign-in-link-row.js';

export {
  DeviceRow,
  PasskeyRequirementRow,
  PasskeyRow,
  PersonRow,
  RelayRow,
  SettingRow,
  SignInLinkRow,
};

/** The tables that TypeORM reads and writes: those of low rate. */
export const ROWS = [
  PersonRow,
  DeviceRow,
  SignInLinkRow,
  RelayRow,
  SettingRow,
  PasskeyRow,
  PasskeyRequirementRow,
];
