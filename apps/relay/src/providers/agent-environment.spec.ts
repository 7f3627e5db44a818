import { describe, expect, it } from '@jest/globals';
import { agentEnvironment } from './agent-environment.js';

const SECRETS = {
  COXSWAIN_HOME: '/home/anna/.coxswain',
  COXSWAIN_RELAY_KEY: '/home/anna/key.pem',
  COXSWAIN_HUB_URL: 'http://127.0.0.1:7717',
  DATABASE_URL: 'postgres://coxswain:secret@localhost/coxswain',
  PGPASSWORD: 'secret',
  ANTHROPIC_API_KEY: 'sk-ant',
  OPENAI_API_KEY: 'sk-openai',
  GITHUB_TOKEN: 'ghp',
  AWS_SECRET_ACCESS_KEY: 'aws',
  NODE_OPTIONS: '--require /tmp/evil.js',
  LD_PRELOAD: '/tmp/evil.so',
  NODE_CHANNEL_FD: '3',
  MY_PATH: 'not PATH',
  LC_: 'nothing',
};
const NEEDED = {
  PATH: '/usr/bin',
  HOME: '/home/anna',
  USER: 'anna',
  LOGNAME: 'anna',
  SHELL: '/bin/bash',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'de_DE.UTF-8',
  TERM: 'xterm',
  TMPDIR: '/tmp',
  TZ: 'Europe/Berlin',
  XDG_CONFIG_HOME: '/home/anna/.config',
};

describe("an agent's environment", () => {
  it('[S3] has what a program needs, and nothing else', () => {
    expect(agentEnvironment({ ...SECRETS, ...NEEDED })).toEqual(NEEDED);
  });

  it('[S3] has nothing that is not set', () => {
    expect(agentEnvironment({ PATH: undefined })).toEqual({});
  });
});
