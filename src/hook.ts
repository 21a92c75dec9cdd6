import { digestWithoutNode } from './base/crypto.ts';
import { runHook } from './app/hook.ts';

digestWithoutNode();

void runHook(process.argv.slice(3)).then((code) => {
  process.exitCode = code;
});
