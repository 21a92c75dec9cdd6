import { stackOf } from './kernel/failure.ts';
import { digestWithoutNode } from './kernel/crypto.ts';
import { runHook } from './app/hook.ts';

digestWithoutNode();

runHook(process.argv.slice(3)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // Whatever it is, it is ours, and nothing was decided: say so and let the client's own rule for failures hold.
    process.stderr.write(`${stackOf(error)}\n`);
    process.exitCode = 2;
  },
);
