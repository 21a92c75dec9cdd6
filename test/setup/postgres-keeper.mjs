// Holds one PostgreSQL server and outlives whoever started it: when its stdin ends, even by kill -9 of the
// test run, it stops the server and removes the folder. Lines on stdin: "stop", "start". Answers: "ready", "stopped".
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const { postgres, folder, port, uid, gid } = JSON.parse(process.argv[2]);
let server;
let log = '';

async function start() {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    // No test cuts the power. With fsync each `drop database` waits for a checkpoint: 460 ms instead of 15.
    fsync: 'off',
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  server = spawn(postgres, ['-D', `${folder}/data`, ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
    uid,
    gid,
  });
  server.stderr.on('data', (data) => (log = (log + data).slice(-4000)));
  server.ended = new Promise((resolve) => server.on('close', resolve));
  const { ended } = server;
  // However long that takes: a disk that others use at the same time may need a minute.
  while (server.exitCode === null && server.signalCode === null && server.pid !== undefined) {
    if (log.includes('ready to accept connections') && (await accepts())) return console.log('ready');
    await Promise.race([ended, new Promise((resume) => setTimeout(resume, 20))]);
  }
  console.log(`failed ${JSON.stringify(log)}`);
}

function accepts() {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1', () => answer(true) || socket.destroy());
    socket.on('error', () => answer(false));
  });
}

async function stop() {
  if (server?.exitCode === null) server.kill('SIGINT');
  await server?.ended;
  log = '';
}

const commands = createInterface({ input: process.stdin });
async function obey(line) {
  if (line === 'start') await start();
  if (line === 'stop') await stop().then(() => console.log('stopped'));
}

async function leave() {
  await stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

commands.on('line', (line) => void obey(line));
commands.on('close', () => void leave());
// The reader of our answers may be gone already.
process.stdout.on('error', () => {});
await start();
