//! A prefix of its own for each test.

/// A prefix after the test that runs. There is nothing under it yet.
pub(crate) async fn emptied(url: &str) -> String {
    let test = std::thread::current().name().unwrap().to_owned();
    let prefix: String = format!("test_{test}").chars().take(64).collect();
    for key in keys(url, &prefix).await {
        let _: u64 = command(url, redis::cmd("DEL").arg(key)).await;
    }
    prefix
}

/// Every key under a prefix.
pub(crate) async fn keys(url: &str, prefix: &str) -> Vec<Vec<u8>> {
    command(url, redis::cmd("KEYS").arg(format!("{prefix}:*"))).await
}

/// Has the server do something.
pub(crate) async fn command<T: redis::FromRedisValue>(url: &str, command: &redis::Cmd) -> T {
    let client = redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    command.query_async(&mut connection).await.unwrap()
}
