import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A fault of a request: a status, a connection that breaks in the middle, or no answer. */
export type Fault = number | "reset" | "silence";

/** Environment variables that select this server as S3. */
const environment = (port: number) => ({
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
});

/**
 * Starts a server that imitates S3: objects by path, conditional writes, and faults.
 * @param faultOf returns the fault of a request, or undefined
 */
export async function startS3(faultOf: (method: string, path: string) => Fault | undefined = () => undefined) {
  const objects = new Map<string, Buffer>();
  const puts: [path: string, size: number][] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const path = decodeURIComponent(url);
    if (method === "PUT") puts.push([path, Number(request.headers["content-length"])]);
    const fault = faultOf(method, path);
    if (fault === "silence") return;
    if (fault === "reset" && method !== "GET") return void request.socket.resetAndDestroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isSigned = /^AWS4-HMAC-SHA256 Credential=key\/\d+\/us-east-1\/s3\//.test(request.headers.authorization ?? "");
    const status = () => {
      if (typeof fault === "number") return fault;
      if (!isSigned) return 403;
      if (method === "DELETE") return objects.delete(path) ? 204 : 404;
      if (method !== "PUT") return objects.has(path) ? 200 : 404;
      return request.headers["if-none-match"] === "*" && objects.has(path) ? 412 : 200;
    };
    response.statusCode = status();
    if (method === "PUT" && response.statusCode === 200) objects.set(path, Buffer.concat(chunks));
    const body = method === "GET" && response.statusCode === 200 ? objects.get(path)! : Buffer.alloc(0);
    if (fault !== "reset") return void response.end(body);
    response.setHeader("content-length", body.length);
    response.write(body.subarray(0, body.length / 2), () => request.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const serverEnvironment = environment((server.address() as AddressInfo).port);
  return {
    objects,
    /** Paths and sizes of the objects that requests wrote. */
    puts,
    environment: serverEnvironment,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
