import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

const colour = process.stdout.isTTY && process.stdout.hasColors() && !process.argv.includes('--no-color');

function paint(format: Format): (text: string) => string {
  return (text) => (colour ? styleText(format, text) : text);
}

export const style = {
  bold: paint('bold'),
  dim: paint('dim'),
  cyan: paint('cyan'),
  green: paint('green'),
  yellow: paint('yellow'),
  red: paint('red'),
};
