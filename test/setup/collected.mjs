import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * What a process holds right after a collection, by the address of its inspector: what is resident hangs on when the last
 * one was, and on how busy the machine is.
 */
export async function heldAfterCollection(inspector) {
  const socket = new WebSocket(inspector);
  await once(socket, 'open');
  const ask = async (method, params = {}) => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [data] = await once(socket, 'message');
    return JSON.parse(String(data));
  };
  await ask('HeapProfiler.collectGarbage');
  const expression = '((used) => used.heapUsed + used.external)(process.memoryUsage())';
  const { result } = await ask('Runtime.evaluate', { expression });
  socket.close();
  return result.result.value;
}
