// Reads server-sent events, as https://html.spec.whatwg.org/multipage/server-sent-events.html has them.

export interface Message {
  id: string;  // the last one that was said
  event: string;
  data: string;
}

export class SseReader {
  private rest = '';
  private begun = false;
  private id = '';
  private event = '';
  private data: string[] = [];

  // The messages that end in this piece of text; what has not ended waits for the next one.
  push(piece: string): Message[] {
    this.rest += piece;
    if (!this.begun && this.rest) {
      this.begun = true;
      if (this.rest.startsWith('\uFEFF')) this.rest = this.rest.slice(1);
    }
    const messages: Message[] = [];
    const end = /\r\n|\n|\r/g;
    let from = 0;
    for (let found = end.exec(this.rest); found; found = end.exec(this.rest)) {
      // A "\n" may follow in the next piece.
      if (found[0] === '\r' && end.lastIndex === this.rest.length) break;
      this.line(this.rest.slice(from, found.index), messages);
      from = end.lastIndex;
    }
    this.rest = this.rest.slice(from);
    return messages;
  }

  private line(line: string, messages: Message[]): void {
    if (line === '') {
      if (this.data.length) messages.push({id: this.id, event: this.event || 'message', data: this.data.join('\n')});
      this.data = [];
      this.event = '';
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (name === 'data') this.data.push(value);
    if (name === 'event') this.event = value;
    if (name === 'id' && !value.includes('\0')) this.id = value;
  }
}
