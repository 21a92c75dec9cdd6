import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { getPackage } from './get-package.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * A Chromium for the tests: SEKISHO_BROWSER, else one on the PATH, else one from an npm package (x64 only), which includes the
 * libraries that a minimal Debian lacks. `env` adds a Japanese font, so that screenshots are readable.
 */
export function getBrowser() {
  const own = process.env.SEKISHO_BROWSER ?? onPath();
  if (own !== undefined) return { program: own, env: withFont() };
  const folder = unpacked();
  return { program: path.join(folder, 'chromium'), env: { ...withFont(), ...withLibraries(folder) } };
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

/** Unpacks into a temporary folder and renames it, so that an interrupted or a concurrent run leaves nothing partial. */
function unpacked() {
  if (process.arch !== 'x64') throw new Error('Found no Chromium: install one, or name it in SEKISHO_BROWSER.');
  const pack = getPackage('@sparticuz/chromium', '143.0.4');
  const folder = path.join(pack, '..', 'unpacked');
  if (!existsSync(folder)) {
    const staging = mkdtempSync(`${folder}-`);
    const file = pathToFileURL(path.join(pack, 'build/esm/index.js')).href;
    const script = `import(${JSON.stringify(file)}).then((it) => it.default.executablePath())`;
    // The package unpacks into TMPDIR, and unpacks its libraries only if it believes that it runs on AWS Lambda.
    const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
    execFileSync(process.execPath, ['-e', script], { stdio: 'inherit', env });
    try {
      renameSync(staging, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
      rmSync(staging, { recursive: true }); // Another run was faster.
    }
  }
  return folder;
}

/** Adds NSS, NSPR and expat on machines that lack them. */
function withLibraries(folder) {
  const system = ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/lib/x86_64-linux-gnu'];
  if (system.some((one) => existsSync(path.join(one, 'libnss3.so')))) return {};
  return { LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib') };
}

/** Adds the same fonts on every machine, Japanese ones too, so that measurements and screenshots do not depend on the machine. */
function withFont() {
  const fonts = [
    getPackage('@expo-google-fonts/inter', '0.4.2'),
    getPackage('@expo-google-fonts/jetbrains-mono', '0.4.1'),
    getPackage('@expo-google-fonts/biz-udpgothic', '0.4.2'),
  ];
  const folder = path.join(fonts[0], '..', 'fontconfig');
  const file = path.join(folder, 'fonts.conf');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const system = existsSync('/etc/fonts/fonts.conf') ? '<include>/etc/fonts/fonts.conf</include>' : '';
    const draft = `${file}.${process.pid}`;
    const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>${system}${fonts.map((at) => `<dir>${at}</dir>`).join('')}
<cachedir>${path.join(folder, 'cache')}</cachedir>
${prefer('sans-serif', 'Inter')}${prefer('system-ui', 'Inter')}${prefer('monospace', 'JetBrains Mono')}
</fontconfig>
`;
    writeFileSync(draft, text);
    renameSync(draft, file);
  }
  return { FONTCONFIG_FILE: file };
}

function prefer(family, font) {
  const chosen = [font, 'BIZ UDPGothic'].map((one) => `<string>${one}</string>`).join('');
  return `<match><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong">${chosen}</edit></match>\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(getBrowser());
}
