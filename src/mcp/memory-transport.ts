// A transport without a wire: one message in, one reply out, as plain values.
import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';

/** What the protocol's server is connected to, and the reply that will come. */
export interface Exchange {
  readonly transport: Transport;
  /**
   * Hands the request in and gives what is sent back for it; anything else that is sent is dropped.
   */
  readonly ask: (request: JSONRPCRequest) => Promise<JSONRPCMessage>;
}

export function openExchange(): Exchange {
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async () => {},
  };
  const ask = (request: JSONRPCRequest): Promise<JSONRPCMessage> =>
    new Promise((resolve) => {
      transport.send = async (message) => {
        if ('id' in message && message.id === request.id && !('method' in message))
          resolve(message);
      };
      transport.onmessage?.(request);
    });
  return { transport, ask };
}
