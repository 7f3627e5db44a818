import './lib/parse-without-eval.js';
import './styles/tokens.css';
import './styles/base.css';
import { mount } from 'svelte';
import App from './app.svelte';
import { startTranslation } from './lib/i18n/translate.svelte.js';
import { hub } from './lib/state/hub.svelte.js';

const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id "app"');

await startTranslation();
void hub.start();
mount(App, { target });
